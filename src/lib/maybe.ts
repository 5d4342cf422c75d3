/**
 * What is often there at once and sometimes takes a while. On the path of every request a promise for something that is
 * already known costs more than the thing itself.
 */
export type Maybe<T> = T | Promise<T>

/** `next` at once when the value is there, otherwise when it comes. */
export function thenSync<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
