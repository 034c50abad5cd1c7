// Turns off the AWS SDK's announcement that releases after January 2027 will require Node 22. This project pins the version of
// the SDK, supports Node 20, and reads the announcement when it updates the SDK; an operator can do nothing about it.
// The SDK reads the variable when a client is created.
Object.assign(process.env, { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" });
