#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// src/main.ts
/** `assayd`: the server, and the operator's verbs. */
enableCompileCache();
process.umask(63);
const { parseConfig, readEnvironment } = await import("./parts/config-C_RC9OXs.js");
const { systemContext } = await import("./parts/context-TrnjPD0T.js");
const { runAssayd } = await import("./parts/program-jKXxI9rZ.js");
const config = () => parseConfig(readEnvironment());
const context = systemContext(config);
process.exitCode = await runAssayd(process.argv.slice(2), context, {
	async serve({ json }) {
		const { startNode } = await import("./parts/serve-CN9TyNFR.js");
		const { createLogger } = await import("./parts/logging-jnXz0Fs5.js");
		const settings = config();
		const node = await startNode(settings, createLogger({ level: settings.LOG_LEVEL }));
		stopOnSignal(node.stop);
		if (json) tell(`${JSON.stringify({
			url: node.url,
			demo_key: node.demo?.apiKey ?? null
		})}\n`);
		else tell(welcome(node.url, settings, node.demo));
	},
	async engine({ json }) {
		const { startEngine } = await import("./parts/serve-CN9TyNFR.js");
		const { createLogger } = await import("./parts/logging-jnXz0Fs5.js");
		const settings = config();
		const engine = await startEngine(settings, createLogger({ level: settings.LOG_LEVEL }));
		stopOnSignal(engine.stop);
		tell(json ? `${JSON.stringify({ url: engine.url })}\n` : `Engine ready on ${engine.url}\n`);
	}
});
/** A server that is up stays up, also when nobody can read what it says. */
function tell(text) {
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
	context.write(text);
}
function welcome(url, settings, demo) {
	const lines = [
		"",
		`Assay is ready on ${url}`,
		`  front page     ${settings.baseUrl}/`,
		`  console        ${settings.baseUrl}/console`,
		`  API reference  ${settings.baseUrl}/docs`
	];
	if (demo) lines.push("", "The database was empty, so there is a demo organisation. What opens it is shown this once. Try:", "", `  curl -s '${settings.baseUrl}/v1/payment-risk?explain=true' \\`, `    -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' \\`, `    -d '{"email":"paypal.security@gmail.com"}'`, "", `In the console, sign in as ${demo.email} with the password ${demo.password}`);
	return `${lines.join("\n")}\n\n`;
}
/** The first signal finishes what is under way; the second ends at once. */
function stopOnSignal(stop) {
	let stopping = false;
	const onSignal = () => {
		if (stopping) process.exit(130);
		stopping = true;
		stop().then(() => process.exit(0), (error) => {
			context.writeError(`${error.message}\n`);
			process.exit(1);
		});
	};
	process.on("SIGTERM", onSignal);
	process.on("SIGINT", onSignal);
}

export {  };