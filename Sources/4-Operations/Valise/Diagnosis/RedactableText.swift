package import SystemPackage
package import ValiseEncoding
import ValiseFailures
import ValiseXFTPClient
package import ValiseXFTPWire

/// A text that knows which parts of it name somebody or something, so that a report can leave those out.
///
/// What the program itself says is a literal. Everything else is interpolated under the name of what it is, and there is no
/// interpolation for plain text: what has no name here cannot get into a report.
package struct RedactableText: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// A stretch of it.
    enum Part: Sendable, Equatable {
        /// Words of this program, numbers, versions.
        case words(String)
        case path(FilePath)
        case relay(String)
        case title(String)
        /// What failed, and of what kind that is.
        case failure(FailureCode, String)
    }

    let parts: [Part]

    package init(stringLiteral value: String) { parts = [.words(value)] }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// With everything, for the user.
    package var text: String {
        parts.map { part in
            switch part {
            case .words(let text), .relay(let text), .title(let text), .failure(_, let text): text
            case .path(let path): path.string
            }
        }.joined()
    }

    /// Collects the parts.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

        /// A number of things, or of anything else.
        package mutating func appendInterpolation(_ number: Int) { parts.append(.words("\(number)")) }

        /// Such as `2 files`.
        package mutating func appendInterpolation(_ number: Int, of noun: StaticString) {
            parts.append(.words(Count.text(number, "\(noun)")))
        }

        /// A size in bytes.
        package mutating func appendInterpolation(bytes: Int64) {
            parts.append(.words(Count.bytes(bytes)))
        }

        /// What a library says of itself.
        package mutating func appendInterpolation(version: String) { parts.append(.words(version)) }

        /// Words of this program, chosen from several.
        package mutating func appendInterpolation(word: StaticString) { parts.append(.words("\(word)")) }

        /// A moment.
        package mutating func appendInterpolation(moment: UTCTime) { parts.append(.words(moment.isoText)) }

        /// Where something is.
        package mutating func appendInterpolation(path: FilePath) { parts.append(.path(path)) }

        /// A relay.
        package mutating func appendInterpolation(relay: XFTPAddress) {
            parts.append(.relay(relay.relayName))
        }

        /// What a job or a move is called, with the names in it.
        package mutating func appendInterpolation(title: String) { parts.append(.title(title)) }

        /// Why something failed: of failures with a code, that alone is told elsewhere.
        package mutating func appendInterpolation(failure error: any Error) {
            let failure = error as? any Failure
            parts.append(.failure(failure?.code ?? .failed, failure?.description ?? "\(error)"))
        }

        /// The same without what it is about, which the text has named already.
        /// - Parameter lead: what the text says itself.
        package mutating func appendInterpolation(reason error: any Error, after lead: String = "") {
            let failure = error as? any Failure
            let subject = failure?.subject.map { "\($0): " } ?? ""
            let text = (failure?.description ?? "\(error)").trimmingPrefix(subject).trimmingPrefix(lead)
            parts.append(.failure(failure?.code ?? .failed, String(text)))
        }
    }
}
