import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// src/lib/garbage.ts
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
/** Frees the newest dead objects: a millisecond or two. */
function collectYoung() {
	collect({ type: "minor" });
}
const SETTLED_MS = 5e3;
/**
* What a start reads and throws away is a third of the memory that the thread would keep for good. So once the start is
* over, everything dead is freed and its memory given back to the system: a tenth of a second, once. Returns how to call
* it off.
*/
function giveStartMemoryBack() {
	const giveBack = () => collect({
		type: "major",
		execution: "sync",
		flavor: "last-resort"
	});
	const timer = setTimeout(giveBack, SETTLED_MS).unref();
	return () => clearTimeout(timer);
}

export { giveStartMemoryBack as n, collectYoung as t };