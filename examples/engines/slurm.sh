#!/bin/sh
# sbatch --export=ALL,SOURCES='/data/stores/*/.claude',OUT=/data/out slurm.sh
#SBATCH --job-name=asp-convert
#SBATCH --array=1-4
#SBATCH --requeue
#SBATCH --signal=B:TERM@30
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
exec npx --yes asp-convert batch "$SOURCES" --to codex --jobs "${SLURM_CPUS_PER_TASK:-2}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$OUT/part-$SLURM_ARRAY_TASK_ID"
