package import ValiseFailures

/// Something is wrong with an encrypted database file or with the library that decrypts it.
package struct PageCipherError: Failure {
    package let code: FailureCode
    package let message: String
    /// The file.
    package let file: String?
    /// The pages that the failure is about, by their numbers from 1.
    package let pages: PageSet
    package var subject: String? { file }
    package var cause: (any Error)? { nil }
    package let remedy: Remedy?

    package init(
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
        PageCipherError(.failed, "the cryptographic library could not \(activity). Nothing was changed.")
    }
}
