import ValiseEncoding
import ValiseFailures

extension String {
    /// Without control characters: names out of archives could drive the terminal.
    package var withoutControls: String { replacingControls { _ in "?" } }
}
