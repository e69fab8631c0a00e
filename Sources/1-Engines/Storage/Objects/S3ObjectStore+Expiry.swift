import ValiseCryptography
import ValiseEncoding
import ValiseFailures

/// The server's own rule for objects that nobody has removed: a second net below whoever removes them in time.
extension S3ObjectStore {
    private static let ruleName = "valise-expire"
    private static let query = [(name: "lifecycle", value: "")]

    /// Asks the server to remove objects some days after they were written (`PutBucketLifecycleConfiguration`). The whole bucket has
    /// one list of rules, which a request replaces: so rules of others are left alone, and this fails.
    ///
    /// Source: the API reference of Amazon S3.
    ///
    /// - Parameters:
    ///   - prefix: of the keys, below that of this store; not empty, for objects of others are none of our business.
    ///   - days: 1 or more. The server counts from the next midnight of UTC.
    /// - Returns: false where the rule is there already.
    /// - Throws: ``StorageError``: `unsupported` for a server that knows no such rules, `alreadyExists` where the bucket has others,
    ///   `invalid`.
    package func setExpiry(below prefix: String, afterDays days: Int) throws -> Bool {
        guard days >= 1, !prefix.isEmpty, ObjectKey(listed: "\(prefix)a") != nil else {
            throw StorageError(.general, .invalid, "not a rule for objects that expire", location)
        }
        let wanted = S3Document.LifecycleRule(
            name: Self.ruleName, prefix: bucket.prefix + prefix, isEnabled: true, days: days)
        let found = try lifecycle()
        guard found != [wanted] else { return false }
        guard found.allSatisfy({ $0.name == wanted.name && $0.prefix == wanted.prefix }) else {
            throw StorageError(
                .general, .alreadyExists,
                "the bucket has other lifecycle rules than one for \(wanted.prefix). They were not replaced.",
                location)
        }
        let body = Array(Self.document(wanted).utf8)
        // What older servers want for this request is a digest that systems of approved algorithms do not have.
        let headers = [
            (name: "x-amz-sdk-checksum-algorithm", value: "SHA256"),
            (name: "x-amz-checksum-sha256", value: Base64.encode(SHA256.hash(body))),
        ]
        let response = try bucket.send(.put, key: nil, query: Self.query, headers: headers, body: body)
        guard response.isSuccess else { throw expiryFailure(response) }
        return true
    }

    private func lifecycle() throws -> [S3Document.LifecycleRule] {
        let response = try bucket.send(.get, key: nil, query: Self.query)
        if S3Document.refusal(response.body)?.code == "NoSuchLifecycleConfiguration" { return [] }
        guard response.status == 200 else { throw expiryFailure(response) }
        // One that ignores the question answers another, and would take the rules for a new bucket.
        if (try? S3Document.page(response.body)) != nil { throw unknownRules() }
        guard !response.isCut, let rules = try? S3Document.lifecycle(response.body) else {
            throw StorageError(.answer, .failed, "the server's lifecycle rules are invalid", location)
        }
        return rules
    }

    private func expiryFailure(_ response: HTTPResponse) -> StorageError {
        let failure = bucket.failure(response, location)
        let code = S3Document.refusal(response.body)?.code ?? ""
        let isUnknown =
            failure.code == .unsupported
            || ["MethodNotAllowed", "MissingContentMD5", "MalformedXML", "InvalidRequest"].contains(code)
            || response.status == 405
        return isUnknown ? unknownRules(failure) : failure
    }

    private func unknownRules(_ cause: StorageError? = nil) -> StorageError {
        StorageError(
            .general, .unsupported,
            "the server has no lifecycle rules, or none that can be set so. Nothing was changed.", location,
            cause: cause)
    }

    private static func document(_ rule: S3Document.LifecycleRule) -> String {
        let prefix = rule.prefix.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
        return """
            <LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Rule><ID>\(rule.name)</ID>\
            <Filter><Prefix>\(prefix)</Prefix></Filter><Status>Enabled</Status>\
            <Expiration><Days>\(rule.days ?? 1)</Days></Expiration></Rule></LifecycleConfiguration>
            """
    }
}
