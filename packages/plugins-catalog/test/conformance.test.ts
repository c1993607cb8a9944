import { catalogConformance } from "@omnirag/core/testing"
import { layer } from "./catalogLayer.ts"

catalogConformance({ name: "sqlite", layer })
