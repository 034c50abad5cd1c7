declare module "fs-native-extensions" {
  /** @returns false while another open file has the lock @throws an error with the system's `code` */
  export function tryLock(fileDescriptor: number): boolean;
}
