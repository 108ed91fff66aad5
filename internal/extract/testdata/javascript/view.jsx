import React, { useState } from 'react';
import { List, ui } from './parts';

export default function App({ items, onPick }) {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return (
    <>
      <div className={style(open)} onClick={toggle} {...extra()}>
        <List items={items.map((item) => <Row key={item.id} item={item} onPick={() => onPick(item)} />)}>
          {open && <ui.Panel title="x">text</ui.Panel>}
          {/* nothing */}
        </List>
      </div>
      <svg:rect width={size()} />
    </>
  );
}
function Row({ item, onPick }) {
  return <button onClick={onPick}>{label(item)}</button>;
}
export const Memo = React.memo(function Inner(props) { return <Row {...props} />; });
