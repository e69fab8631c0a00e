import Valise

extension OutputOptions {
    /// Says that an account was in use while it was read.
    func noteUse(of path: String, by holder: String?) {
        guard let holder else { return }
        note("\(path) is in use by \(holder); what was read is its state of one moment")
    }
}
