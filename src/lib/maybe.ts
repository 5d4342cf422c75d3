/**
 * A value that is often available synchronously and sometimes takes a while. On the path of every request, a promise
 * for a known value costs more than the value itself.
 */
export type Maybe<T> = T | Promise<T>

/** Calls `next` synchronously when the value is there, otherwise when it comes. */
export function thenSync<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
