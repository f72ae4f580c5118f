// Lets a child process run the sources: a relative import that ends in `.js` is the `.ts` beside it.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const source =
      specifier.startsWith(".") && context.parentURL?.endsWith(".ts")
        ? specifier.replace(/\.js$/, ".ts")
        : specifier;
    return next(source, context);
  },
});
