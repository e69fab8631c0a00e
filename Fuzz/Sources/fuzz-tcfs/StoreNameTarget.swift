import Fuzzing
import ValiseContentStore
import ValiseStorage

/// Paths and keys of objects.
enum StoreNameTarget {
    static func path(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let path = try? StorePath(lenient: text) else {
            return FuzzRun.require((try? StorePath(text)) == nil, "a canonical path leads nowhere else")
        }
        FuzzRun.require(((try? StorePath(text)) != nil) == path.isCanonical, "a path is canonical or not")
        FuzzRun.require(path.ancestors.count == path.components.count - 1, "each folder is above the path")
        for component in path.components {
            FuzzRun.require(
                !component.isEmpty && component != "." && component != "..", "no component leads elsewhere")
        }
        let folded = path.folded
        FuzzRun.require(!folded.isEmpty, "a path is not folded to nothing")
    }

    static func key(_ bytes: [UInt8]) {
        guard let key = try? ObjectKey(String(decoding: bytes, as: UTF8.self)) else { return }
        let layout = StoreLayout(prefix: "acct/demo")
        if let name = layout.chunk(at: key) {
            FuzzRun.require((try? layout.chunk(name)) == key, "a chunk has its key")
        }
        if let place = try? layout.place(at: key), case .entry(let path) = place {
            FuzzRun.require((try? layout.entry(path)) == key, "an entry has its key")
        }
        _ = layout.isStaged(key.text, of: .digest(.ofNothing))
    }
}
