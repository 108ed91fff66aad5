export class Row {
  id(): string { return 'x'; }
  open(): void { this.id(); }
}
export function useRows(): { rows: Row[]; reload: () => void } {
  const rows = load();
  return { rows, reload: () => { load(); } };
}
function load(): Row[] { return [new Row()]; }
