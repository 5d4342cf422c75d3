import { registerHooks } from 'node:module'

/** Loaded before the program: reports which optional packages the program loads. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/') || specifier === 'nodemailer')
      process.stderr.write(`loads ${specifier}\n`)
    return next(specifier, context)
  },
})
