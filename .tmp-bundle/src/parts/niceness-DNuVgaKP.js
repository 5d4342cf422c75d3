import { getPriority, platform, setPriority } from "node:os";

// src/lib/niceness.ts
/**
* Makes the calling thread yield to the others of the process, which matters where there are few cores. Only a wish: some
* containers do not allow it, and then the thread works at the priority of the process.
*/
function yieldToOthers(by) {
	if (platform() !== "linux") return;
	try {
		setPriority(Math.min(19, getPriority() + by));
	} catch {}
}

export { yieldToOthers as t };