import { execFileSync } from "node:child_process";

/** Lets a process, and what it starts from now on, run on these cores alone, a list such as `0-3`. */
export const runOnCores = (pid: number, cores: string) =>
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)], { stdio: "ignore" });
