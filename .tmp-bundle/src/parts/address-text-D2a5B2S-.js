// src/lib/address-text.ts
/** More than any address of 254 characters has, even taken apart into letters and marks: at most four units each. */
const UNITS_MAX = 1024;
/**
* An email address as it is compared: trimmed, NFC, lower case. A text that is too long for an address anyway is left in
* its own form, because the time to compose a long run of marks grows with the square of its length.
*/
function normaliseAddressText(text) {
	const trimmed = text.trim();
	return (trimmed.length > UNITS_MAX ? trimmed : trimmed.normalize("NFC")).toLowerCase();
}

export { normaliseAddressText as t };