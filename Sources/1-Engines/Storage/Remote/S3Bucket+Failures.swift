import ValiseEncoding
import ValiseFailures

extension S3Bucket {
    /// What an answer without success means. S3 says it by words; the status alone would not tell a wrong clock from wrong keys.
    func failure(_ response: HTTPResponse, _ subject: String) -> StorageError {
        guard let refusal = S3Document.refusal(response.body) else {
            if response.status == 301 || response.status == 307 {
                return otherRegion(response["x-amz-bucket-region"])
            }
            return StorageError(response, subject, hasUser: true)
        }
        switch refusal.code {
        case "NoSuchKey": return StorageError(.general, .notFound, "missing on the server", subject)
        case "NoSuchBucket":
            return StorageError(
                .noStore, .notFound, "the server has no bucket of this name", settings.bucket,
                remedy: .checkServerAddress)
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException":
            return otherRegion(refusal.region ?? response["x-amz-bucket-region"])
        case "RequestTimeTooSkewed": return wrongClock(response)
        case "AccessDenied", "AllAccessDisabled", "AccountProblem", "InvalidAccessKeyId",
            "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "InvalidSecurity", "Forbidden":
            return StorageError(
                .credentials, .denied, "the server refuses access \(Self.said(refusal))", subject,
                remedy: .checkServerPassword)
        default: return temporary(refusal, response, subject)
        }
    }

    private func temporary(
        _ refusal: S3Document.Refusal, _ response: HTTPResponse, _ subject: String
    ) -> StorageError {
        let said = Self.said(refusal)
        switch refusal.code {
        case "SlowDown", "ServiceUnavailable", "Throttling", "ThrottlingException", "TooManyRequests",
            "RequestLimitExceeded", "ConditionalRequestConflict", "OperationAborted":
            return StorageError(
                .busy, .failed, "the server is busy \(said)", subject, remedy: .tryLater,
                retryAfter: response.retryAfter)
        case "RequestTimeout":
            return StorageError(.unreachable, .failed, "the server waited too long for the request", subject)
        // The bytes changed on their way, or in this machine's memory.
        case "BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest", "IncompleteBody":
            return StorageError(
                .answer, .failed, "the server received other bytes than were sent \(said)", subject)
        case "QuotaExceeded", "StorageFull", "XMinioStorageFull", "InsufficientStorage", "EntityTooLarge":
            return StorageError(.general, .noSpace, "no free space on the server \(said)", subject)
        case "NotImplemented":
            return StorageError(.general, .unsupported, "the server does not support the request", subject)
        default:
            // Other codes by their status, as of any server.
            guard response.status >= 500 || response.status == 429 else {
                return StorageError(.general, .failed, "the server refuses the request \(said)", subject)
            }
            return StorageError(response, subject, hasUser: true)
        }
    }

    /// The code, which users look up, and the beginning of the sentence.
    private static func said(_ refusal: S3Document.Refusal) -> String {
        let code = refusal.code.prefix(60)
        let text = refusal.message.isEmpty ? "\(code)" : "\(code): \(refusal.message.prefix(160))"
        return "(\(text.replacingControls { _ in " " }))"
    }

    private func otherRegion(_ region: String?) -> StorageError {
        let named = String((region ?? "").prefix(60)).replacingControls { _ in "?" }
        let place = named.isEmpty || named == settings.region ? "" : ", \(named)"
        return StorageError(
            .general, .invalid, "the bucket is in another region than \(settings.region)\(place)",
            settings.bucket,
            remedy: .checkServerAddress)
    }

    private func wrongClock(_ response: HTTPResponse) -> StorageError {
        var text = "this machine's clock differs too much from the server's"
        if let time = response["date"].flatMap(HTTPDate.decode) {
            text += ", where it is \(time.dateText) \(time.timeText) UTC"
        }
        return StorageError(.clock, .denied, text, location, remedy: .setClock)
    }
}
