/// What a store does and may not.
package struct ContractViolation: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Tells of a promise that is not kept.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws {
    if !isKept { throw ContractViolation(promise()) }
}
