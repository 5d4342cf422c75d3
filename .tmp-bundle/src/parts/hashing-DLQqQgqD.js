import { hash } from "node:crypto";

// src/lib/hashing.ts
function sha256Hex(input) {
	return hash("sha256", input, "hex");
}
/**
* 64-bit key of a string as two unsigned 32-bit halves, for the snapshot's hash tables. Two independent
* multiply-xor lanes with a strong finish: fast in plain JavaScript, no allocation, stable across versions
* (the snapshot format depends on it: changing this function means a new format version).
* The halves are written into `out[0]` (low) and `out[1]` (high).
*/
function hash64Into(text, out) {
	let low = 2654435769 ^ text.length;
	let high = 2246822507 ^ text.length;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		low = Math.imul(low ^ unit, 16777619);
		low ^= low >>> 15;
		high = Math.imul(high ^ unit, 3432918353);
		high = high << 13 | high >>> 19;
	}
	out[0] = finish(low ^ Math.imul(high, 668265263));
	out[1] = finish(high ^ Math.imul(low, 374761393));
}
function finish(value) {
	let mixed = value;
	mixed ^= mixed >>> 16;
	mixed = Math.imul(mixed, 2246822507);
	mixed ^= mixed >>> 13;
	mixed = Math.imul(mixed, 3266489909);
	mixed ^= mixed >>> 16;
	return mixed >>> 0;
}

export { sha256Hex as n, hash64Into as t };