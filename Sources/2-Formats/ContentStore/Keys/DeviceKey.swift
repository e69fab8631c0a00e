/// The key of a file, wrapped for one device.
package struct DeviceKey: Hashable, Sendable {
    /// Which device.
    package let device: String
    /// Its public key, `age1…`.
    package let recipient: String
    /// How it is wrapped: only `age-x25519-v1` is known.
    package let algorithm: String
    /// An armored file of age.
    package let wrapped: String

    package init(device: String, recipient: String, algorithm: String, wrapped: String) {
        self.device = device
        self.recipient = recipient
        self.algorithm = algorithm
        self.wrapped = wrapped
    }

    /// Wraps a key for a device that the identity belongs to.
    /// - Throws: `CryptographyError`; `SecretsError`.
    package init(_ key: ContentKey, device: String, identity: AgeIdentity) throws {
        self.init(
            device: device, recipient: identity.recipient, algorithm: AgeEnvelope.algorithm,
            wrapped: try AgeEnvelope.seal(key, for: identity.publicKey))
    }
}
