declare module "s3rver" {
  import type { Server } from "node:http";

  /** What tests use of it (version 3.7). */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    httpServer: Server;
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
