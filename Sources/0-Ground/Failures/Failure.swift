/// What a caller can do about a failure, in one vocabulary for all modules.
///
/// The command line maps each code to one exit status; an app can switch over it.
public enum FailureCode: String, Sendable, Codable, CaseIterable {
    /// The operation failed in a way that no other code describes.
    case failed
    /// A file, folder, entry or account that was named is not there.
    case notFound
    /// Something is already where a new thing was to be made.
    case alreadyExists
    /// Another process, or another run of Valise, holds what is needed.
    case inUse
    /// The passphrase does not open the database.
    case wrongPassphrase
    /// The content contradicts itself: a checksum, a structure or a size is wrong.
    case damaged
    /// The content is well formed but nothing we can work with.
    case unsupported
    /// The content was made by a newer program than this one.
    case newer
    /// The medium or a quota is full.
    case noSpace
    /// The system refused access.
    case denied
    /// What the caller asked for makes no sense.
    case invalid
    /// What was asked for is no longer kept where it was: it expired, was deleted, or was never there.
    case gone
    /// The user or the caller stopped the operation.
    case interrupted
}

/// An error of Valise: one struct per module conforms.
///
/// `message` is one sentence in lower case without a full stop. It says what failed, and what is still intact where that is
/// in doubt. What to do about it is the ``remedy``, in words of whoever shows it: no message names a command or an option.
/// It never holds a passphrase or a key.
public protocol Failure: Error, CustomStringConvertible {
    /// What the caller can do about it.
    var code: FailureCode { get }
    /// The sentence for the user.
    var message: String { get }
    /// The path, entry or table that the failure is about.
    var subject: String? { get }
    /// The failure below this one.
    var cause: (any Error)? { get }
    /// What can be done about it; nil where nobody knows, or the message says all.
    var remedy: Remedy? { get }
}

extension Failure {
    public var remedy: Remedy? { nil }

    /// The subject, the sentence, then the causes that add something, in one line. No remedies are in it.
    public var description: String { description { _ in nil } }

    /// The description with the remedies of this failure and of its causes.
    ///
    /// - Parameter words: what is added to the sentence for a remedy, with what separates the two, such as `; close that
    ///   program first`; nil for nothing.
    package func description(remedies words: (Remedy) -> String?) -> String {
        var text = subject.map { "\($0): \(message)" } ?? message
        if let added = remedy.flatMap(words) { text += added }
        guard let cause else { return text }
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
    public var message: String { "interrupted; nothing was changed" }
    public var subject: String? { nil }
    public var cause: (any Error)? { nil }

    /// Nothing is known of who stopped it.
    public init() {}
}
