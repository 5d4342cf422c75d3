/** The path a proxy serves the whole service under; empty when it has the host for itself. */
export const BASE_PATH: string = document.querySelector('meta[name="assay-base"]')?.getAttribute('content') ?? ''
