// src/lib/clock.ts
/** This machine's clock. Somebody may set it: what the service calls now is service-clock.ts. */
const systemClock = {
	now: () => Date.now(),
	ticks: () => performance.now()
};
const SECOND_MS = 1e3;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The billing period a moment falls in: a calendar month in UTC, as `YYYY-MM`. */
function periodOf(timeMs) {
	return new Date(timeMs).toISOString().slice(0, 7);
}

export { periodOf as a, SECOND_MS as i, HOUR_MS as n, systemClock as o, MINUTE_MS as r, DAY_MS as t };