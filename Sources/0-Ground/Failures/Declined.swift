/// A question that was answered with no.
package enum Declined {
    /// What whoever asked says then, whatever the question was.
    package static let sentence = "not confirmed. Nothing was changed."
}
