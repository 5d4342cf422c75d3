// src/lib/time-text.ts
/** A moment as every answer writes it: RFC 3339, UTC, with milliseconds. */
function iso(timeMs) {
	return new Date(timeMs).toISOString();
}
function isoOrNull(timeMs) {
	return timeMs === null || timeMs === void 0 ? null : iso(timeMs);
}
/** The day of a moment in UTC, as `YYYY-MM-DD`. */
function isoDay(timeMs) {
	return iso(timeMs).slice(0, 10);
}

export { isoDay as n, isoOrNull as r, iso as t };