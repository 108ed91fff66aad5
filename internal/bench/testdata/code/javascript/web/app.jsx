import { useState, useEffect } from 'react';
import List, { Empty } from './list';
import * as api from './api';

export default function App() {
  const [items, setItems] = useState([]);
  const refresh = async () => setItems(await api.load('all'));
  useEffect(() => { refresh(); }, []);
  if (!items.length) return <Empty onRetry={refresh} />;
  return <List items={items} onPick={(item) => api.pick(item)} />;
}
