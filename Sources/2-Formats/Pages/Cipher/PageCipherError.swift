public import ValiseFailures

/// Something is wrong with an encrypted database file or with the library that decrypts it.
public struct PageCipherError: Failure {
    public let code: FailureCode
    public let message: String
    /// The file.
    public let file: String?
    /// The pages that the failure is about, by their numbers from 1.
    public let pages: PageSet
    public var subject: String? { file }
    public var cause: (any Error)? { nil }
    public let remedy: Remedy?

    public init(
        _ code: FailureCode, _ message: String, file: String? = nil, pages: PageSet = PageSet(),
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.pages = pages
        self.remedy = remedy
    }

    static func library(_ activity: String) -> PageCipherError {
        PageCipherError(.failed, "the cryptographic library could not \(activity); nothing was changed")
    }
}
