class Base { constructor(props) { this.props = props; } log(text) { return text; } label() { return 'x'; } }

const List = ({ items, onPick }) => (
  <ul>
    {items.map((item) => <Row key={item.id} item={item} pick={onPick} />)}
  </ul>
);

function Row({ item, pick }) {
  const handle = () => pick(item);
  return <li onClick={handle}>{title(item)}</li>;
}

export class Empty extends Base {
  constructor(props) { super(props); this.retry = this.retry.bind(this); }
  retry() { this.log('retry'); this.props.onRetry(); }
  render() { return <button onClick={this.retry}>{this.label()}</button>; }
}

const title = (item) => item.name;
export default List;
