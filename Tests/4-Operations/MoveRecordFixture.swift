import FaultInjection
import SystemPackage
import ValiseFiles

/// A record of a move that is received and whose import has begun.
struct MoveRecordFixture {
    /// The state folder of the user.
    let state: FilePath

    /// - Parameters:
    ///   - id: of the move.
    ///   - account: the folder that it goes to.
    ///   - previous: the databases that it replaces, in JSON.
    ///   - isFinished: whether the move is over.
    ///   - isDamaged: whether nobody can read the record.
    func write(
        _ id: String, to account: FilePath, previous: [String] = [], isFinished: Bool = false,
        isDamaged: Bool = false
    ) throws {
        let type = isFinished ? "finished" : "archiveImport"
        let record = """
            {"header":{"version":1,"id":"\(id)","side":"receiving","account":{"directory":"\(account)",\
            "prefix":"simplex_v1","style":"desktop"},"created":1,"changed":2},\
            "move":{"state":{"type":"\(type)"},"links":[],"fingerprint":[],"isConfirmed":true,\
            "former":[\(previous.joined(separator: ","))],"isInPlace":false}}
            """
        let place = state.appending("moves").appending(id)
        try FileSystem().makeDirectories(place)
        try FileSystem().replace(
            place.appending("move.json"), with: Array((isDamaged ? "{" : record).utf8))
    }
}
