package import ValiseSecrets

extension S3Store {
    /// Which bucket, where, and with which keys.
    package struct Settings: Sendable {
        /// The server.
        package let endpoint: HTTPAddress
        /// Its name.
        package let bucket: String
        /// In the bucket; empty for all of it.
        package let prefix: String
        /// Such as `eu-west-3`; servers of one's own have `us-east-1` mostly.
        package let region: String
        /// What a user name is elsewhere; it may have colons.
        package let accessKey: String
        /// The secret key. It signs, and is not sent.
        package let secret: SharedSecret
        /// Goes with keys that are valid for some hours.
        package var sessionToken: SharedSecret?
        /// Whether the bucket is in the path, as most servers but AWS want it, and not in the name of the host.
        package var isPathStyle = true

        /// - Parameter prefix: with or without a slash at its end.
        package init(
            endpoint: HTTPAddress, bucket: String, prefix: String = "", region: String, accessKey: String,
            secret: SharedSecret
        ) {
            self.endpoint = endpoint
            self.bucket = bucket
            self.prefix = prefix
            self.region = region
            self.accessKey = accessKey
            self.secret = secret
        }
    }
}
