#!/usr/bin/env node
// In git rather than in dist: npm links a command at install, which in a fresh checkout is before the first build.
import "../dist/bin.js";
