import { Cell } from './cell';
import { useRows, type Row } from './rows';

type Props = { onPick: (row: Row) => void; label?: string };

export function Table({ onPick, label = fallback() }: Props) {
  const { rows, reload } = useRows();
  const pick = (row: Row) => { onPick(row); reload(); };
  return <div title={label}>{rows.map((row) => <Cell key={row.id()} row={row} onClick={() => pick(row)} />)}</div>;
}
const fallback = () => 'table';
export const Page = () => <Table onPick={(row) => row.open()} />;
