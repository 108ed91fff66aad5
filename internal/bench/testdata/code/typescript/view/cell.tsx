import type { Row } from './rows';
export const Cell: React.FC<{ row: Row; onClick: () => void }> = ({ row, onClick }) => {
  const handle = () => { row.open(); onClick(); };
  return <td onClick={handle}>{row.id()}</td>;
};
