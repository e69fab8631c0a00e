/// The kind of a failure, in one vocabulary for all modules.
///
/// The command line maps each code to one exit status; an app can switch over it.
public enum FailureCode: String, Sendable, Codable, CaseIterable {
    /// The operation failed in a way that no other code describes.
    case failed
    /// The named file, folder, entry or account does not exist.
    case notFound
    /// The target already exists.
    case alreadyExists
    /// Another process, or another run of Valise, uses what is needed.
    case inUse
    /// The passphrase does not open the database.
    case wrongPassphrase
    /// The content contradicts itself: a checksum, a structure or a size is wrong.
    case damaged
    /// The content is well formed but not supported.
    case unsupported
    /// The content was made by a newer program than this one.
    case newer
    /// The disk or a quota is full.
    case noSpace
    /// The system refused access.
    case denied
    /// The request makes no sense.
    case invalid
    /// What was requested no longer exists there: it expired, was deleted, or never existed.
    case gone
    /// The user or the caller stopped the operation.
    case interrupted
}

/// An error of Valise: one struct per module conforms.
///
/// `message` starts in lower case and says what failed. A single clause has no final period. Where it matters, sentences
/// follow that say what is intact. What to do about it is the ``remedy``, worded by the program that shows it: no message
/// names a command or an option. It never contains a passphrase or a key.
public protocol Failure: Error, CustomStringConvertible {
    /// What the caller can do about it.
    var code: FailureCode { get }
    /// The text for the user.
    var message: String { get }
    /// The path, entry or table that the failure is about.
    var subject: String? { get }
    /// The failure below this one.
    var cause: (any Error)? { get }
    /// What can be done about it; nil where that is unknown.
    var remedy: Remedy? { get }
}

extension Failure {
    public var remedy: Remedy? { nil }

    /// The subject, the message, then the causes that add something, in one line, without remedies.
    public var description: String { description { _ in nil } }

    /// The description with the remedies of this failure and of its causes.
    ///
    /// - Parameter words: the sentences that follow the message for a remedy, such as `Close that program first.`; nil for
    ///   none.
    package func description(remedies words: (Remedy) -> String?) -> String {
        var text = subject.map { "\($0): \(message)" } ?? message
        if let added = remedy.flatMap(words) { text = [text, added].asSentences }
        guard let cause else { return text }
        // It says all of its cause, and more.
        if let same = cause as? any Failure, same.remedy != nil, same.remedy == remedy,
            text.contains(same.description)
        {
            return text
        }
        let below = (cause as? any Failure)?.description(remedies: words) ?? "\(cause)"
        if !text.contains(below) { text += " (\(below))" }
        return text
    }
}

extension Error {
    /// The sentence of a failure, for text that names its subject already; of any other error its description.
    package var sentence: String { (self as? any Failure)?.message ?? "\(self)" }
}

/// Thrown when the caller's progress closure asked to stop.
public struct Interruption: Failure {
    public var code: FailureCode { .interrupted }
    public var message: String { "interrupted. \(state)" }
    public var subject: String? { nil }
    public var cause: (any Error)? { nil }
    /// A sentence on what the stopped work left.
    private let state: String

    /// Creates an interruption.
    public init() { self.init(state: "Nothing was changed.") }

    /// - Parameter state: a sentence on what the stopped work left.
    package init(state: String) { self.state = state }
}
