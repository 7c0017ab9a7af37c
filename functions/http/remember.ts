/** As the newest; of more than `most` the oldest goes: a `Map` keeps the order of insertion. */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) for (const [oldest] of map) return void map.delete(oldest);
}
