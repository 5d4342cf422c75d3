import { registerHooks } from 'node:module'

/** Loaded before the program: says which packages it loads of those that only some servers need. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/') || specifier === 'nodemailer')
      process.stderr.write(`loads ${specifier}\n`)
    return next(specifier, context)
  },
})
