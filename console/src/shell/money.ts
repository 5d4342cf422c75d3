const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
const NUMBER = new Intl.NumberFormat('en-GB')

/** Whole pence as people read them: £0.03, £12.40. */
export function money(pence: number): string {
  return POUNDS.format(pence / 100)
}

export function count(value: number): string {
  return NUMBER.format(value)
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
