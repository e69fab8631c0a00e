package import SystemPackage
package import ValiseSecrets

/// Names and passwords for servers that keep repositories.
package struct StorageAccess: Sendable {
    package var restUser: String?
    package var restPassword: SharedSecret?
    package var accessKey: String?
    package var secretKey: SharedSecret?
    package var sessionToken: SharedSecret?
    package var region: String?
    /// Certificates that are trusted instead of the system's.
    package var authorities: FilePath?

    package init() {}
}

extension StorageAccess {
    /// What the variables say that other programs for such servers read too.
    ///
    /// - Parameter variable: a variable of the environment; nil for an empty one too.
    /// - Throws: `SecretsError`.
    package init(variable: (String) -> String?) throws {
        restUser = variable("RESTIC_REST_USERNAME")
        restPassword = try Self.secret(variable("RESTIC_REST_PASSWORD"))
        accessKey = variable("AWS_ACCESS_KEY_ID")
        secretKey = try Self.secret(variable("AWS_SECRET_ACCESS_KEY"))
        sessionToken = try Self.secret(variable("AWS_SESSION_TOKEN"))
        region = variable("AWS_DEFAULT_REGION") ?? variable("AWS_REGION")
        authorities = variable("RESTIC_CACERT").map { FilePath($0) }
    }

    private static func secret(_ text: String?) throws -> SharedSecret? {
        try text.map { SharedSecret(try SecretBytes(copying: Array($0.utf8))) }
    }
}

/// How much of the line may be used; nil for all of it. In bytes a second.
package struct TransferLimits: Sendable {
    package var upload: Int64?
    package var download: Int64?

    package init(upload: Int64? = nil, download: Int64? = nil) {
        self.upload = upload
        self.download = download
    }
}
