import type { FC, ReactNode } from 'react';
type Props<T> = { items: T[]; render: (item: T) => ReactNode };
export function Table<T>({ items, render }: Props<T>) {
  return <Frame<T> rows={items}>{items.map((i) => render(i))}</Frame>;
}
export const Card: FC<{ title: string }> = ({ title }) => <Table<string> items={[title]} render={(x) => <b>{x.trim()}</b>} />;
class Frame<T> extends React.Component<Props<T>> {
  private ref = React.createRef<HTMLDivElement>();
  render() { return <div ref={this.ref}>{this.props.children}</div>; }
}
