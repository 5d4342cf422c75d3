import { getPriority, platform, setPriority } from 'node:os'

/**
 * Makes the calling thread yield to the others of the process, which matters where there are few cores. Only a wish: some
 * containers do not allow it, and then the thread works at the priority of the process.
 */
export function yieldToOthers(by: number): void {
  // Elsewhere this would be about the whole process.
  if (platform() !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + by))
  } catch {
    // It then competes with the others for the cores.
  }
}
