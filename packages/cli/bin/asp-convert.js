#!/usr/bin/env node
// Kept in git, not in dist: npm links a command at install, which in a fresh checkout is before the first build.
// Runs on any Node that knows modules, so that an old one gets a sentence instead of a syntax error.
import { start } from "./engine.js";
import { entry } from "./entry.js";

await start(() => import(entry()));
