import CValiseOpenSSL
import ValiseFailures

/// The identity of a relay: a certificate that signs itself, and the key that signs the online certificates.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    package let key: SigningKey

    /// How long certificates are valid: to the year 4764.
    package static let validityDays: Int32 = 999_999

    /// How much earlier than now certificates should begin, in seconds: clocks of other machines may be behind.
    package static let clockTolerance: Int64 = 86_400

    /// - Throws: ``CertificateError``: `invalid` when the key is not that of the certificate.
    package init(certificate: Certificate, key: SigningKey) throws(CertificateError) {
        guard certificate.belongs(to: key) else {
            throw CertificateError(
                .invalid, "the identity's key and certificate do not match",
                subject: certificate.commonName)
        }
        self.certificate = certificate
        self.key = key
    }

    /// A new identity with the fields that the official server writes.
    ///
    /// - Parameters:
    ///   - algorithm: of its key.
    ///   - now: from when on it is valid, in seconds since 1970.
    /// - Throws: ``CertificateError`` when libcrypto has no randomness or memory.
    package static func make(
        _ algorithm: SigningAlgorithm, now: Int64
    ) throws(CertificateError) -> CertificateAuthority {
        let key = try SigningKey.generate(algorithm)
        let draft = try CertificateDraft(for: key, now: now, days: validityDays)
        // The official server names its XFTP identities so too.
        try draft.setSubject([("CN", "SMP server CA"), ("O", "SimpleX")])
        try draft.setIssuer(nil)
        try draft.add([
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
            (NID_basic_constraints, "critical,CA:TRUE"),
        ])
        return try CertificateAuthority(certificate: draft.signed(by: key), key: key)
    }

    /// An online certificate for a key, signed by this identity.
    ///
    /// - Parameters:
    ///   - commonName: the host name or address of the relay, of up to 64 characters; clients do not look at it.
    ///   - key: the key that the relay shows in TLS.
    ///   - now: from when on it is valid, in seconds since 1970.
    /// - Throws: ``CertificateError``: `invalid` for a name that no certificate can have.
    package func issue(
        commonName: String, for key: SigningKey, now: Int64
    ) throws(CertificateError) -> Certificate {
        try issue(commonName: commonName, for: key, now: now, days: Self.validityDays)
    }

    /// The same with another validity, for tests of what has expired.
    package func issue(
        commonName: String, for key: SigningKey, now: Int64, days: Int32
    ) throws(CertificateError) -> Certificate {
        guard !commonName.isEmpty, commonName.unicodeScalars.count <= 64 else {
            throw CertificateError(
                .invalid, "a certificate name must have 1 to 64 characters", subject: commonName)
        }
        let draft = try CertificateDraft(for: key, now: now, days: days)
        try draft.setSubject([("CN", commonName)])
        try draft.setIssuer(certificate)
        try draft.add([
            (NID_basic_constraints, "CA:FALSE"),
            (NID_key_usage, "digitalSignature,nonRepudiation,keyAgreement"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
        ])
        return try draft.signed(by: self.key)
    }

    /// An authority below this one, for tests of longer chains.
    package func subordinate(
        commonName: String, _ algorithm: SigningAlgorithm, now: Int64, isAuthority: Bool = true
    ) throws(CertificateError) -> CertificateAuthority {
        let key = try SigningKey.generate(algorithm)
        let draft = try CertificateDraft(for: key, now: now, days: Self.validityDays)
        try draft.setSubject([("CN", commonName)])
        try draft.setIssuer(certificate)
        try draft.add([
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
            (NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE"),
        ])
        return try CertificateAuthority(certificate: draft.signed(by: self.key), key: key)
    }
}
