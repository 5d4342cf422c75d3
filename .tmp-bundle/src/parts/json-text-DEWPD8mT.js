import { isUtf8 } from "node:buffer";

// src/lib/json-text.ts
/** The value of a JSON text in UTF-8; undefined for what is none. */
function readJsonText(bytes) {
	const text = bytes.toString();
	if (text.includes("�") && !isUtf8(bytes)) return void 0;
	try {
		return { value: JSON.parse(text) };
	} catch {
		return;
	}
}

export { readJsonText as t };