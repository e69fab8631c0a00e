import ValiseEncoding
package import ValiseMaintenance

extension DatabaseAgreement {
    /// Why the databases do not match.
    package var contradiction: String {
        guard usersWithoutAgent > 0 else {
            return "the agent database has none of the \(Count.text(connections, "connection")) of the "
                + "chat database"
        }
        return "the agent database lacks \(Count.text(Int(usersWithoutAgent), "user")) of the chat database"
    }
}
