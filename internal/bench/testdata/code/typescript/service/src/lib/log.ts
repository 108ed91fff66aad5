function write(text: string): void { console.log(format(text)); }
function format(text: string): string { return text.trim(); }
function level(): string { return 'info'; }
export { write as default, level };
