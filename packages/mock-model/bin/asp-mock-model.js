#!/usr/bin/env node
import { main } from "../dist/command.js";

await main(process.argv.slice(2));
