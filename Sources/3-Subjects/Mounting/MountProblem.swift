package import ValiseFailures

/// What could not be read while a tree is shown: the program that asked only gets a number or a status.
package struct MountProblem: Sendable {
    /// The name of the file or folder, as it is shown.
    package let name: String
    /// Why.
    package let failure: any Failure

    /// - Returns: nil for what is no problem of the tree: the program that asked has gone, or nothing has the name.
    init?(_ name: [UInt8], _ error: any Error) {
        if error is CancellationError || error is Interruption { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        failure = error as? any Failure ?? MountError(.failed, "\(error)")
    }
}
