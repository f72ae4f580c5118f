#!/bin/sh
# GNU parallel: four shards on this machine, or with --sshloginfile on several. {#} counts from 1.
# SOURCES='/data/stores/*/.claude' OUT=/data/out sh parallel.sh
parallel --jobs 4 --halt never \
  npx --yes asp-convert batch "'$SOURCES'" --to codex --jobs 1 --shard '{#}/4' --out "'$OUT'/part-{#}" ::: 1 2 3 4
